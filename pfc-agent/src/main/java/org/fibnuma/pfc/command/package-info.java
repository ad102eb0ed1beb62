/** {@code fibnuma pfc}: headroom, checks of a configuration, and the simulator. */
package org.fibnuma.pfc.command;
