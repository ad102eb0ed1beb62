/** The {@code fibnuma fabric} commands. */
@org.fibnuma.core.Internal
package org.fibnuma.fabric.command;
