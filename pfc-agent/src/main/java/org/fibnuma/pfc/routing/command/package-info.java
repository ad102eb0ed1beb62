/** The commands {@code fibnuma fabric plan} and {@code fibnuma fabric check}. */
package org.fibnuma.pfc.routing.command;
