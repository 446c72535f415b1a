export { archiveProducts, editProduct, suspendProduct } from "./change-products.ts";
export { registerCatalogueHttp } from "./http.ts";
export { imageUrlOf, sweepImages } from "./image-files.ts";
export {
  type ProductForSale,
  productForSale,
  productOf,
  productsAtStart,
  productsPage,
  eraseOfferAnswers,
} from "./products.ts";
export { forgetPublicProducts, publicProduct, publicShop } from "./public-pages.ts";
