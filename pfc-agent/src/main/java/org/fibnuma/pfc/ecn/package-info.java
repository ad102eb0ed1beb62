/** Explicit congestion notification at an egress queue (RFC 3168). */
package org.fibnuma.pfc.ecn;
