// SPDX-License-Identifier: Apache-2.0
/**
 * How a Java layout names the C declaration that it mirrors, so that the build can hold one against the other
 * (the ABI probe of the tests compiles a C program from these names against the installed uapi headers).
 */
@NullMarked
package io.github.rdma4j.internal.abi;

import org.jspecify.annotations.NullMarked;
