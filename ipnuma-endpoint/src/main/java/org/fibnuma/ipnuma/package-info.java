/** Remote memory over IP: a store into a page window here becomes a write into a region there. */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma;
