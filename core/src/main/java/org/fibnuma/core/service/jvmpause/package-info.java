/**
 * Length and reason of JVM pauses in a duty cycle. {@link org.fibnuma.core.service.jvmpause.MeteredAgent} records the
 * gaps on the worker's thread; {@link org.fibnuma.core.service.jvmpause.JvmPauseWatcher} determines the reasons on its
 * own thread.
 * <pre>
 *  worker: MeteredAgent -> JvmPauseMeter --gaps--> JvmPauseWatcher &lt;- SafepointLog, CollectionLog (the JVM)
 *                                                            &lt;- SchedulerTimes            (the machine)
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.service.jvmpause;
