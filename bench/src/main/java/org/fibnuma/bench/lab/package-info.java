/**
 * The harness of all measurements, and classes that measurements and system tests share beside
 * {@code org.fibnuma.core.service.netns}.
 * <pre>
 *   MeasurementCommand   checks options and prints the result with MeasurementOutput
 *        Turns           runs the rounds and prints the progress
 *          Contestant    is started, measured and stopped in each round by a rig such as RoutedHosts
 *        Rounds          has the figures of all rounds, their medians and ratios
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.lab;
