/** The proof that a routing cannot deadlock and connects all servers. */
@org.fibnuma.core.Internal
package org.fibnuma.fabric.proof;
