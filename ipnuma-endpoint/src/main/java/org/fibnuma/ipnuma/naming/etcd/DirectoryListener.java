package org.fibnuma.ipnuma.naming.etcd;

/** Receives the changes of the directory, on the thread of its {@link DirectoryWatch}. */
public interface DirectoryListener
{
    /** Called when an endpoint was registered or its entry has changed. */
    void onEndpoint(DirectoryEntry entry);

    /** Called when an endpoint has ended or its lease has expired. Not called while etcd does not answer. */
    void onGone(DirectoryEntry last);
}
