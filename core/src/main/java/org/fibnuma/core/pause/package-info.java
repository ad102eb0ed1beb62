/**
 * Length and reason of pauses in a duty cycle. {@link org.fibnuma.core.pause.MeteredAgent} records the gaps on the
 * worker's thread; {@link org.fibnuma.core.pause.PauseWatcher} determines the reasons on its own thread.
 * <pre>
 *  worker: MeteredAgent -> PauseMeter --gaps--> PauseWatcher &lt;- SafepointLog, CollectionLog (the JVM)
 *                                                            &lt;- SchedulerTimes            (the machine)
 * </pre>
 */
package org.fibnuma.core.pause;
