/**
 * Access to the endpoint for other processes and languages: a file in {@code /dev/shm} with a slot for each client.
 * Each slot has a heartbeat and two Agrona rings with one producer and one consumer.
 * <pre>
 *  application --> RemoteWindow --> EndpointClient =send ring=> ClientRings (client.host, endpoint's thread) --> peers
 *  application &lt;-- AnswerListener &lt;==========answer ring====
 *  application &lt;-- RegionMapping &lt;------------------------------------------------------------------------ peers
 * </pre>
 * Each client has separate rings. The order of its requests therefore needs no lock and no compare-and-swap, in C
 * either. A full ring delays only its own client. A client that dies while it writes a record blocks no other client,
 * since its slot is released with its rings.
 */
package org.fibnuma.ipnuma.client;
