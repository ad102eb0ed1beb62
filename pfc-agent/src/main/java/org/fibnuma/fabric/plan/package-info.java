/** Demands and the paths for them, with and without forbidden turns. */
package org.fibnuma.fabric.plan;
