/**
 * The directory of endpoints in etcd: their names, addresses and regions. It contains no keys.
 * <pre>
 *  DirectoryEntry --> DirectoryRegistration --lease, put--> etcd --range, watch--> DirectoryWatch --> DirectoryListener
 * </pre>
 */
package org.fibnuma.ipnuma.naming.etcd;
