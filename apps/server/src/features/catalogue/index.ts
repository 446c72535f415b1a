export { editProduct } from "./edit-product.ts";
export { registerCatalogueHttp } from "./http.ts";
export { imageUrlOf, sweepImages } from "./image-files.ts";
export { type ProductForSale, productForSale } from "./products.view.ts";
export {
  forgetPublicProducts,
  publicProduct,
  publicProductByIds,
  publicShop,
} from "./public-pages.ts";
export { productOf, productsAtStart, productsPage } from "./shelf.ts";
