/** The proof that a routing cannot deadlock and connects all servers. */
package org.fibnuma.fabric.proof;
