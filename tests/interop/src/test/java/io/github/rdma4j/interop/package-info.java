// SPDX-License-Identifier: Apache-2.0
/** Tests of the library against the C programs and libraries of rdma-core. */
@NullMarked
package io.github.rdma4j.interop;

import org.jspecify.annotations.NullMarked;
