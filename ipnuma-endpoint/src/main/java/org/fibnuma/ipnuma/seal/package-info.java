/**
 * Sealed datagrams: what a session sends is encrypted and authenticated where it lies, and what comes is opened before
 * the session sees it. The session knows nothing of it.
 * <pre>
 *  Session --> SealedOutput --> DatagramSeal.seal --> port        port --> DatagramSeal.open --> Session
 *                                    |                                          |
 *                                 AesGcm (AesBlocks, Ghash)                  AesGcm, ReplayWindow
 * </pre>
 * AES-GCM is NIST SP 800-38D's. The block cipher is the JVM's; counter mode and GHASH are here, because a JVM's GCM
 * wants new parameter objects for each message. No branch and no address depends on a key or on plain text.
 */
package org.fibnuma.ipnuma.seal;
