/** The software router: data path, forwarding tables, control plane and commands. */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic;
