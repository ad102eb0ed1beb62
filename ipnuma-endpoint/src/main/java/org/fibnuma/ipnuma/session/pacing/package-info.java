/** How fast a session sends: DCQCN of {@link org.fibnuma.pfc.dcqcn} on datagrams. */
package org.fibnuma.ipnuma.session.pacing;
