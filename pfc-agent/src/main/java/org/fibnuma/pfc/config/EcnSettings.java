package org.fibnuma.pfc.config;

/**
 * The ECN marking settings of a configuration, not validated.
 *
 * @param line           of the file.
 * @param minBytes       Kmin.
 * @param maxBytes       Kmax.
 * @param maxProbability Pmax, 0 to 1.
 */
public record EcnSettings(int line, long minBytes, long maxBytes, double maxProbability)
{
}
