package org.fibnuma.ipnuma.naming.etcd;

/** Receives the changes of the directory, on the thread of its {@link DirectoryWatch}. */
public interface DirectoryListener
{
    /** An endpoint was registered or has another entry. */
    void onEndpoint(DirectoryEntry entry);

    /** An endpoint has ended, or has not kept its lease. Not called while etcd does not answer. */
    void onGone(DirectoryEntry last);
}
