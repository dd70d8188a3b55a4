// SPDX-License-Identifier: Apache-2.0
/**
 * How a Java layout names the C declaration that it mirrors, so that the build can hold one against the other
 * (rxe-testbed's ABI probe compiles a C program from these names against the installed uapi headers).
 */
@NullMarked
package io.github.rdma4j.kernel.abi;

import org.jspecify.annotations.NullMarked;
