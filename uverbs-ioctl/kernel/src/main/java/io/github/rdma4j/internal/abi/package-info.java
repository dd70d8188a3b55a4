// SPDX-License-Identifier: Apache-2.0
/**
 * Names the C declaration that a Java type mirrors, so that the build can compare both (the ABI probe of the tests
 * compiles a C program from these names against the installed uapi headers).
 */
@NullMarked
package io.github.rdma4j.internal.abi;

import org.jspecify.annotations.NullMarked;
