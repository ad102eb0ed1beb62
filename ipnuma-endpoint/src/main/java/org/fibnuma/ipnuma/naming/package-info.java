/**
 * Regions by name: what an endpoint announces, and how it is asked for in one line of JSON each way.
 * <pre>
 *  endpoint --publish--> NameDirectory --answer--> NameServer (naming.socket) == TCP == NameClient --> NamedRegion
 * </pre>
 */
package org.fibnuma.ipnuma.naming;
