/** Demands and the paths for them, with and without forbidden turns. */
@org.fibnuma.core.Internal
package org.fibnuma.fabric.plan;
