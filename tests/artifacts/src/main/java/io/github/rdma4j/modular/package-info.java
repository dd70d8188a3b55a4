// SPDX-License-Identifier: Apache-2.0
/** A program that runs on the module path. */
@NullMarked
package io.github.rdma4j.modular;

import org.jspecify.annotations.NullMarked;
