/**
 * The three tables of the thesis (section 3.3): the remote page of each local memory page, the address of each peer,
 * and the memory of this host that peers can access. Only the endpoint's thread reads and writes them.
 */
package org.fibnuma.ipnuma.table;
