// The records of the API. Generated from api/openapi.json by clients/generate.py. Do not edit.
// Instants are texts in ISO 8601, in UTC.

export interface Location {
  /** Latitude, WGS 84. */
  lat: number;
  /** Longitude, WGS 84. */
  lng: number;
}

/** Property type. */
export type PropertyType = "apartment" | "house" | "commercial" | "other" | "land";

/** Finer property type. */
export type Subtype = "family" | "villa" | "cottage" | "holiday" | "planned" | "farm" | "historical" | "office" | "warehouse" | "production" | "shopping_space" | "accommodation" | "restaurant" | "agricultural" | "building" | "garage_full" | "garage_space" | "mobile_home" | "wine_cellar" | "attic" | "housing" | "commercial" | "meadow" | "forest" | "fishpond" | "orchard" | "garden" | "other";

/** Kind of offer. */
export type OfferType = "sale" | "rent" | "exchange" | "auction";

/** Czech room layout: `2+kk` is two rooms with a kitchenette, `3+1` three rooms and a kitchen. */
export type Arrangement = "1+0" | "1+1" | "1+kk" | "2+0" | "2+1" | "2+kk" | "3+0" | "3+1" | "3+kk" | "4+0" | "4+1" | "4+kk" | "5+0" | "5+1" | "5+kk" | "6+0" | "6+1" | "6+kk" | "7+0" | "7+1" | "7+kk" | "6++" | "other";

/** Condition of the property. */
export type PropertyState = "very_good" | "good" | "bad" | "in_construction" | "in_planning" | "newly_constructed" | "development_project" | "before_renovation" | "after_renovation" | "for_demolition";

/** Ownership form: `private` (personal), `communal` (cooperative), `local` (municipal), `state`, `other`. */
export type Ownership = "private" | "communal" | "local" | "state" | "other";

/** Construction type. */
export type BuildingType = "brick" | "panel" | "wood" | "eco" | "skeleton" | "mix" | "assemble" | "stone";

/** How furnished the property is. */
export type Equipment = "full" | "none" | "partial";

export interface OfferSummary {
  /** Stable id of the listing, used in the path of the detail. */
  id: string;
  /** When the property was first seen on any portal. ISO 8601 in UTC, with the suffix `Z`. */
  firstSeenAt: string;
  /** When any portal listing last changed; searches are sorted by it. ISO 8601 in UTC, with the suffix `Z`. */
  lastChangedAt: string;
  /** True while at least one portal advertises it. */
  isLive: boolean;
  /** Geocoded position; null if no portal gave one. */
  location: Location | null;
  /** Listing title as written by the portal, in Czech. */
  title?: string;
  /** Full listing text as written by the portal, in Czech. */
  description?: string;
  /** Municipality. */
  city?: string;
  /** Street name without the house number. */
  street?: string;
  /** Region (kraj). */
  region?: string;
  /** City part or quarter. */
  neighborhood?: string;
  /** District (okres). */
  district?: string;
  /** Czech postal code, usually with a space between the groups. */
  postalCode?: string;
  /** Address line as published; precision differs between portals. */
  address?: string;
  /** Apartment or unit number; rarely present. */
  unitNumber?: string;
  /** Property type. */
  type?: PropertyType;
  /** Finer property type. */
  subtype?: Subtype;
  /** Kind of offer. */
  offerType?: OfferType;
  /** Czech room layout: `2+kk` is two rooms with a kitchenette, `3+1` three rooms and a kitchen. */
  arrangement?: Arrangement;
  /** Condition of the property. */
  propertyState?: PropertyState;
  /** Ownership form: `private` (personal), `communal` (cooperative), `local` (municipal), `state`, `other`. */
  ownership?: Ownership;
  /** Construction type. */
  buildingType?: BuildingType;
  /** Asking price in CZK: the total for a sale, the monthly amount for a rent. */
  priceTotal?: number;
  /** Living (usable) floor area in m². */
  livingArea?: number;
  /** Plot area in m². */
  landArea?: number;
  /** Floor of the unit; 0 is the ground floor, negative is below ground. */
  floor?: number;
  /** Number of floors in the building. */
  floorCount?: number;
  /** How furnished the property is. */
  equipment?: Equipment;
  /** Garden. */
  garden?: boolean;
  /** Storage room or cellar. */
  storage?: boolean;
  /** Balcony. */
  balcony?: boolean;
  /** Loggia. */
  loggia?: boolean;
  /** Terrace. */
  terrace?: boolean;
  /** Garage. */
  garage?: boolean;
  /** Elevator. */
  elevator?: boolean;
  /** Parking. */
  parking?: boolean;
  /** Wheelchair access. */
  barrierFree?: boolean;
  /** Swimming pool. */
  swimmingPool?: boolean;
  /** Area of the garden in m². */
  gardenArea?: number;
  /** Area of the storage room or cellar in m². */
  storageArea?: number;
  /** Area of the balcony in m². */
  balconyArea?: number;
  /** Area of the loggia in m². */
  loggiaArea?: number;
  /** Area of the terrace in m². */
  terraceArea?: number;
  /** Area of the garage in m². */
  garageArea?: number;
  /** Energy class as published: usually a letter A to G. Not an enumeration. */
  energyClass?: string;
  /** Heating source. */
  heatingSource?: string;
  /** Heating type: `communal` is central. */
  heatingType?: string;
  /** Sewerage: `communal` is the public sewer. */
  sewerage?: string;
  /** Position of the house. */
  housePosition?: string;
}

export interface PortalLink {
  /** Id of the portal listing. */
  offerId: string;
  /** Id of the portal. */
  siteId: string;
  /** Page of the listing on the portal, an http or https URL; null if none is known. */
  url: string | null;
  /** True while that portal advertises it. */
  isLive: boolean;
  /** When it was first seen on that portal. ISO 8601 in UTC, with the suffix `Z`. */
  firstSeenAt: string;
}

export interface PricePoint {
  /** When that price was first seen. ISO 8601 in UTC, with the suffix `Z`. */
  at: string;
  /** CZK. */
  priceTotal: number;
}

export interface PriceSeries {
  /** Id of the portal listing. */
  offerId: string;
  /** Id of the portal. */
  siteId: string;
  /** Oldest first. Each price differs from the one before. */
  points: PricePoint[];
}

export interface OfferDetail {
  /** Stable id of the listing, used in the path of the detail. */
  id: string;
  /** When the property was first seen on any portal. ISO 8601 in UTC, with the suffix `Z`. */
  firstSeenAt: string;
  /** When any portal listing last changed; searches are sorted by it. ISO 8601 in UTC, with the suffix `Z`. */
  lastChangedAt: string;
  /** True while at least one portal advertises it. */
  isLive: boolean;
  /** Geocoded position; null if no portal gave one. */
  location: Location | null;
  /** Listing title as written by the portal, in Czech. */
  title?: string;
  /** Full listing text as written by the portal, in Czech. */
  description?: string;
  /** Municipality. */
  city?: string;
  /** Street name without the house number. */
  street?: string;
  /** Region (kraj). */
  region?: string;
  /** City part or quarter. */
  neighborhood?: string;
  /** District (okres). */
  district?: string;
  /** Czech postal code, usually with a space between the groups. */
  postalCode?: string;
  /** Address line as published; precision differs between portals. */
  address?: string;
  /** Apartment or unit number; rarely present. */
  unitNumber?: string;
  /** Property type. */
  type?: PropertyType;
  /** Finer property type. */
  subtype?: Subtype;
  /** Kind of offer. */
  offerType?: OfferType;
  /** Czech room layout: `2+kk` is two rooms with a kitchenette, `3+1` three rooms and a kitchen. */
  arrangement?: Arrangement;
  /** Condition of the property. */
  propertyState?: PropertyState;
  /** Ownership form: `private` (personal), `communal` (cooperative), `local` (municipal), `state`, `other`. */
  ownership?: Ownership;
  /** Construction type. */
  buildingType?: BuildingType;
  /** Asking price in CZK: the total for a sale, the monthly amount for a rent. */
  priceTotal?: number;
  /** Living (usable) floor area in m². */
  livingArea?: number;
  /** Plot area in m². */
  landArea?: number;
  /** Floor of the unit; 0 is the ground floor, negative is below ground. */
  floor?: number;
  /** Number of floors in the building. */
  floorCount?: number;
  /** How furnished the property is. */
  equipment?: Equipment;
  /** Garden. */
  garden?: boolean;
  /** Storage room or cellar. */
  storage?: boolean;
  /** Balcony. */
  balcony?: boolean;
  /** Loggia. */
  loggia?: boolean;
  /** Terrace. */
  terrace?: boolean;
  /** Garage. */
  garage?: boolean;
  /** Elevator. */
  elevator?: boolean;
  /** Parking. */
  parking?: boolean;
  /** Wheelchair access. */
  barrierFree?: boolean;
  /** Swimming pool. */
  swimmingPool?: boolean;
  /** Area of the garden in m². */
  gardenArea?: number;
  /** Area of the storage room or cellar in m². */
  storageArea?: number;
  /** Area of the balcony in m². */
  balconyArea?: number;
  /** Area of the loggia in m². */
  loggiaArea?: number;
  /** Area of the terrace in m². */
  terraceArea?: number;
  /** Area of the garage in m². */
  garageArea?: number;
  /** Energy class as published: usually a letter A to G. Not an enumeration. */
  energyClass?: string;
  /** Heating source. */
  heatingSource?: string;
  /** Heating type: `communal` is central. */
  heatingType?: string;
  /** Sewerage: `communal` is the public sewer. */
  sewerage?: string;
  /** Position of the house. */
  housePosition?: string;
  /** One entry for each portal listing of the property. */
  portalLinks: PortalLink[];
  /** One series for each portal listing. Portals often disagree, so the series are not merged. */
  priceHistory: PriceSeries[];
}

export interface Pagination {
  /** Page size in effect. */
  limit: number;
  /** Number of items on this page. */
  count: number;
  /** False on the last page. */
  hasMore: boolean;
  /** Opaque cursor of the next page; null on the last page. */
  nextCursor: string | null;
}

export interface SearchResponse {
  data: OfferSummary[];
  pagination: Pagination;
}

export interface MeToken {
  /** Public id of the token. */
  id: string;
  /** Leading characters of the token: `jdn_` and six more. */
  prefix: string;
}

/** Plan id. */
export type MePlanId = "free" | "basicV2" | "proV2" | "investor" | "customV2";

/** Display name of the plan. */
export type MePlanName = "Free" | "Basic" | "Pro" | "Investor" | "Custom";

export interface MePlan {
  /** Plan id. */
  id: MePlanId;
  /** Display name of the plan. */
  name: MePlanName;
  /** Requests per month. */
  requestsPerMonth: number;
  /** Calendar months of history; 0 if only live listings are included. */
  historyMonths: number;
}

export interface MeUsage {
  /** The calendar month in UTC. */
  month: string;
  /** Requests counted this month, over all tokens of the account. */
  requestsUsed: number;
  /** Requests left this month. */
  requestsRemaining: number;
  /** When the quota renews. ISO 8601 in UTC, with the suffix `Z`. */
  resetsAt: string;
}

export interface Me {
  token: MeToken;
  plan: MePlan;
  usage: MeUsage;
}

/** What clients branch on. */
export type ErrorCode = "unauthorized" | "forbidden" | "plan-limit-exceeded" | "not-found" | "invalid-request" | "payload-too-large" | "quota-exceeded" | "query-timeout" | "internal-error";

export interface ErrorDetail {
  /** The invalid query parameter. */
  path: string;
  /** Which values it accepts, or that it is unknown and which names are accepted. */
  message: string;
}

/** The filters of a search. */
export interface Filters {
  /** Kind of offer. */
  offerType?: OfferType;
  /** Property type. */
  type?: PropertyType;
  /** Finer category within `type`. */
  subtype?: Subtype;
  /** Czech room layout. Encode the `+` as `%2B` (`2%2Bkk`): a plain `+` is a space in a query string. */
  arrangement?: Arrangement;
  /** How furnished the property is. */
  equipment?: Equipment;
  /** Ownership form. */
  ownership?: Ownership;
  /** Condition of the property. */
  propertyState?: PropertyState;
  /** Construction type. */
  buildingType?: BuildingType;
  /** Exact name of the district (okres), as written in the field `district`. Its usual forms are accepted too: without diacritics, in any Unicode normal form, `okres Kladno`, `Hlavní město Praha`, `Brno`. An unknown name finds nothing. */
  district?: string;
  /** Exact name of the city part, as written in the field `neighborhood`. Its usual forms are accepted too: without diacritics, in any Unicode normal form, `Praha 5 - Smíchov`. An unknown name finds nothing. */
  neighborhood?: string;
  /** Lowest price in CZK, inclusive; the monthly rent for rentals. */
  priceMin?: number;
  /** Highest price in CZK, inclusive; the monthly rent for rentals. */
  priceMax?: number;
  /** Smallest living area in m², inclusive. */
  livingAreaMin?: number;
  /** Largest living area in m², inclusive. */
  livingAreaMax?: number;
  /** Smallest plot area in m², inclusive. */
  landAreaMin?: number;
  /** Largest plot area in m², inclusive. */
  landAreaMax?: number;
  /** Lowest floor, inclusive; 0 is the ground floor. */
  floorMin?: number;
  /** Highest floor, inclusive; 0 is the ground floor. */
  floorMax?: number;
  /** Fewest floors in the building, inclusive. */
  floorCountMin?: number;
  /** Most floors in the building, inclusive. */
  floorCountMax?: number;
  /** Latitude of the search centre in degrees (WGS 84). Send it together with `lng`, and without `address`. */
  lat?: number;
  /** Longitude of the search centre in degrees (WGS 84). Send it together with `lat`, and without `address`. */
  lng?: number;
  /** Free-text address that the service geocodes to the centre. Send it instead of `lat` and `lng`. If it matches several places, the most important one is used if it is clearly that. If nothing decides between them, if the parts contradict each other, if it is a number alone, or if it only resembles a name, the answer is 400; it says which parts were understood and which places may be meant. The headers `X-Address-Place`, `X-Address-Level`, `X-Address-Fit` and `X-Address-Centre` say which place is used. All pages of a search use the centre found for the first page. */
  address?: string;
  /** Search radius around the centre in metres, inclusive, measured along the great circle; 2000 if a centre is sent without it. Needs a centre: `lat` and `lng`, or `address`. Listings without a position never match. */
  radiusMeters?: number;
  /** Whether listings that are no longer live are included. `true` needs a plan with history. It includes listings that expired within the plan's calendar months before the first page. */
  includeInactive?: boolean;
}
