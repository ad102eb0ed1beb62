/**
 * Policies that decide when to send which pause, the same objects in the router and in the simulator. A policy watches
 * the {@link org.fibnuma.pfc.priority.PriorityBacklog} of one ingress port and sends to the peer through a
 * {@link org.fibnuma.pfc.policy.PauseOutput}.
 * <pre>
 *                 onArrival, onDeparture, onTime
 *  PriorityBacklog ------------> PausePolicy -----> SentPauses -----> PauseOutput
 *                                 |  |  |           (pauses not        (a frame)
 *                  OnOffPolicy ---+  |  |            ended)
 *                  CounterPolicy ----+  |
 *                  DrainTimePolicy -----+
 * </pre>
 */
package org.fibnuma.pfc.policy;
