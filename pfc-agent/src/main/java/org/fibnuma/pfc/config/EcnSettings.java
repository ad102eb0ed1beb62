package org.fibnuma.pfc.config;

/**
 * Marking as the file has it, in order or not.
 *
 * @param line           of the file.
 * @param minBytes       Kmin.
 * @param maxBytes       Kmax.
 * @param maxProbability Pmax, 0 to 1.
 */
public record EcnSettings(int line, long minBytes, long maxBytes, double maxProbability)
{
}
