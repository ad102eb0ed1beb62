/** The software router: data path, forwarding tables, control plane and commands. */
package org.fibnuma.fibnic;
