/**
 * Wire formats: one class for each header, which alone defines its field offsets, and arithmetic of addresses and
 * checksums. A flyweight holds one native address; its caller has validated that the header lies inside the frame.
 * Offsets and lengths are in bytes.
 */
package org.fibnuma.core.wire;
