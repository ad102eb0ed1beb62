/**
 * Access lists: rules by which the router permits or denies packets that a port receives or sends. Start with
 * {@link org.fibnuma.fibnic.acl.AccessList}, then {@code AccessInput} of the data path.
 * <pre>
 *  AccessInput, AccessOutput -> ActiveList -> AccessClassifier -> AddressClasses, RuleSets
 *                                   |
 *                              AccessKeys (the compared fields of a batch)
 * </pre>
 * The stages find the lists in force through {@link org.fibnuma.fibnic.acl.AccessTable}.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.acl;

