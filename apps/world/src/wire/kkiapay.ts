/** What a page hands over to open the widget; what KkiaPay's loader takes besides is not used. */
export type KkiapayConfig = {
  amount?: unknown;
  key?: unknown;
  sandbox?: unknown;
  data?: unknown;
  partnerId?: unknown;
  reason?: unknown;
  name?: unknown;
  fullname?: unknown;
  firstname?: unknown;
  lastname?: unknown;
  email?: unknown;
  phone?: unknown;
  phoneNumber?: unknown;
  countries?: unknown;
  paymentMethods?: unknown;
};

/** How KkiaPay is made to differ from what one expects of it. */
export type KkiapayModes = {
  /** The partner's number is lost on the way, as in a real sandbox. */
  emptyPartnerId: boolean;
  /** Notices carry the state as a text of JSON. */
  stateAsText: boolean;
  /** The widget's page says "paid" although nothing was. */
  forgedSuccess: boolean;
  /** The widget is opened with another amount than the page asked: changed in the browser. */
  otherAmount: boolean;
};
