/**
 * Wire formats: one class for each header, with the only constants of its field offsets, and the arithmetic of
 * addresses and checksums. A flyweight holds one native address and trusts that the stage before has proved the
 * header to lie inside the frame.
 */
package org.fibnuma.core.wire;
