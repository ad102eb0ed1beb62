/** {@code fibnuma pfc}: headroom, checks of a configuration, and the simulator. */
@org.fibnuma.core.Internal
package org.fibnuma.pfc.command;
