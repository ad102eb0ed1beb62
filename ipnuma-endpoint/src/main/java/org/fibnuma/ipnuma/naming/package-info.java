/**
 * Regions by name: what an endpoint announces, and lookups of one line of JSON in each direction.
 * <pre>
 *  endpoint --publish--> NameDirectory --answer--> NameServer (naming.socket) == TCP == NameClient --> NamedRegion
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.naming;
