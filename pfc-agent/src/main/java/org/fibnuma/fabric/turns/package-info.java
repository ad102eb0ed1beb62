/**
 * The choice of turns that routes may use, by three methods with one interface, so that buffers cannot wait for each
 * other in a cycle.
 * <p>
 * A turn leads through a switch from an incoming channel to an outgoing one. Waiting frames make the buffer of the
 * first depend on the buffer of the second; a cycle of such dependencies can stop a lossless network forever. Turns are
 * decided in pairs, both directions together.
 * <pre>
 *  TurnTraffic ---> TurnMethod ---> TurnPlan (TurnSet, escape tree)
 *                     UpDown
 *                     TurnProhibition
 *                     TurnAddition ---> ChannelOrder (incremental topological order)
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.fabric.turns;
