/** The status of an order in the sellers' app; without the word the server shows the buyers' page. */
export function paymentPath(order: string): string {
  return `/PaymentStatus?paymentId=${encodeURIComponent(order)}&app=vendeur`;
}
