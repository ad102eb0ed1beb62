/** Pause quanta and link speeds. */
package org.fibnuma.pfc.quanta;
