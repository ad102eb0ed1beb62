/**
 * Sealed datagrams: what a session sends is encrypted and authenticated where it lies, and what comes is opened before
 * the session sees it. The session tells when a connection begins.
 * <pre>
 *  Session --> SealedOutput --> DatagramSeal.seal --> port        port --> DatagramSeal.open --> Session
 *                                    |                                          |
 *                  KeyChain, GcmCipher, HandshakeMac           the same, and ReplayWindow
 * </pre>
 * All cryptography is the JDK's: AES-GCM, HMAC-SHA-256 and SecureRandom; {@link org.fibnuma.ipnuma.seal.Hkdf} is RFC
 * 5869 on its HMAC.
 */
package org.fibnuma.ipnuma.seal;
