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
 * {@link org.fibnuma.pfc.policy.PauseUpkeep} determines what happens to a pause after it was sent. Renewals follow the
 * {@link org.fibnuma.pfc.policy.DrainRate} of the queues.
 */
@org.fibnuma.core.Internal
package org.fibnuma.pfc.policy;
