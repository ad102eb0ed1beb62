/** Explicit congestion notification at an egress queue (RFC 3168). */
@org.fibnuma.core.Internal
package org.fibnuma.pfc.ecn;
