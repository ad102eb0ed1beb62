/**
 * The directory of endpoints in etcd: their names, addresses and regions. It contains no keys.
 * <pre>
 *  DirectoryEntry --> DirectoryRegistration --lease, put--> etcd --range, watch--> DirectoryWatch --> DirectoryListener
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.naming.etcd;
