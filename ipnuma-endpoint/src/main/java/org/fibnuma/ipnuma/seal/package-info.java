/**
 * Sealed datagrams: those of a session are encrypted and authenticated in place before they are sent, and opened before
 * the session receives them. The session reports when a connection begins.
 * <pre>
 *  Session --> SealedOutput --> DatagramSeal.seal --> port        port --> DatagramSeal.open --> Session
 *                                    |                                          |
 *                  KeyChain, GcmCipher, HandshakeMac           the same, and ReplayWindow
 * </pre>
 * All cryptography is the JDK's: AES-GCM, HMAC-SHA-256 and SecureRandom. {@link org.fibnuma.ipnuma.seal.Hkdf} is RFC
 * 5869 on its HMAC.
 */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.seal;
