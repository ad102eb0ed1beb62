/** Demands and the paths that carry them, with and without forbidden turns. */
package org.fibnuma.fabric.plan;
