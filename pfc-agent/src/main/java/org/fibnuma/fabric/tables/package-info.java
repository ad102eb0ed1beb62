/**
 * Forwarding tables by destination, as switches have them: the channel to each server, whatever the input. Turns depend
 * on the input, so tables cannot express every set of paths, and they can use turns that no planned path used.
 * Therefore exported tables are proved again.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fabric.tables;
