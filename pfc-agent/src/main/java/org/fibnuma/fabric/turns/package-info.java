/**
 * Which turns routes may take: three methods behind one interface, all for the sake of no circle of buffers.
 * <p>
 * A turn is a way through a switch from a channel that comes in to one that goes out. Waiting frames make the buffer of
 * the first depend on the buffer of the second; a circle of such dependencies is where a lossless network can stop for
 * ever. Turns are decided on in pairs, both directions together.
 * <pre>
 *  TurnTraffic ---> TurnMethod ---> TurnPlan (TurnSet, escape tree)
 *                     UpDown
 *                     TurnProhibition
 *                     TurnAddition ---> ChannelOrder (incremental topological order)
 * </pre>
 */
package org.fibnuma.fabric.turns;
