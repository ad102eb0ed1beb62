/** Pause quanta and link speeds. */
@org.fibnuma.core.Internal
package org.fibnuma.pfc.quanta;
