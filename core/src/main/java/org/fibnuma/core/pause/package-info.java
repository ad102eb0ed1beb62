/**
 * For how long a thread that should run without a pause did not, and why. {@link org.fibnuma.core.pause.MeteredAgent}
 * notes the gaps in a duty cycle on the worker's own thread; {@link org.fibnuma.core.pause.PauseWatcher} finds the
 * reasons on a thread of its own.
 * <pre>
 *  worker: MeteredAgent -> PauseMeter --gaps--> PauseWatcher &lt;- SafepointLog, CollectionLog (the JVM)
 *                                                            &lt;- SchedulerTimes            (the machine)
 * </pre>
 */
package org.fibnuma.core.pause;
