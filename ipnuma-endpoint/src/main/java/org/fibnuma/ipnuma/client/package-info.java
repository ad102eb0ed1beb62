/**
 * Access to the endpoint for other processes and languages: a file in {@code /dev/shm} with a slot for each client.
 * Each slot has a heartbeat and two Agrona rings with one producer and one consumer.
 * <pre>
 *  application --> RemoteWindow --> EndpointClient =send ring=> ClientRings (client.host, endpoint's thread) --> peers
 *  application &lt;-- AnswerListener &lt;==========answer ring====
 *  application &lt;-- RegionMapping &lt;------------------------------------------------------------------------ peers
 * </pre>
 * Each client has its own rings instead of a share of one: the order of its requests needs no lock and no
 * compare-and-swap, in C either; a full ring delays its own client only; and a client that dies while it writes a
 * record blocks no other client, since its slot is released with its rings.
 */
package org.fibnuma.ipnuma.client;
