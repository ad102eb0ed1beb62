/**
 * Regions of memory that peers can write, as files in {@code /dev/shm} that every process of this host can map: one
 * page with the values and the state of the region, then its bytes.
 * <pre>
 *  RegionStore (owns the directory) --open--> RegionFile (one file, its states)
 *                                                  |
 *                                   RegionMapping  (the mapped bytes, of owner and clients alike)
 * </pre>
 * Chronicle-Bytes maps and unmaps files; all accesses use the native address directly.
 */
package org.fibnuma.ipnuma.memory;
