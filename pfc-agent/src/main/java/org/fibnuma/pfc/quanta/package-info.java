/** Pause quanta and time: 512 bit times each, so their length is that of the link's speed. */
package org.fibnuma.pfc.quanta;
