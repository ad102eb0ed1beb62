/**
 * The endpoint for other processes and languages: a file in {@code /dev/shm} with a place for each client, and in each
 * place a heartbeat and two Agrona rings of one producer and one consumer.
 * <pre>
 *  application --> RemoteWindow --> EndpointClient =send ring=> ClientRings (client.host, endpoint's thread) --> peers
 *  application <-- AnswerListener <==========answer ring====
 *  application <-- RegionMapping <--------------------------------------------------------------------------- peers
 * </pre>
 * A ring for each client rather than one for all: the order of one client needs no lock and no compare-and-swap in C
 * either, a full ring holds up its own client only, and one who dies in the middle of a record leaves nothing for
 * others to wait for: its place is taken back with everything in it.
 */
package org.fibnuma.ipnuma.client;
