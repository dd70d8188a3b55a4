// SPDX-License-Identifier: Apache-2.0
/** The command that compares on demand. */
@NullMarked
package io.github.rdma4j.providers.verify;

import org.jspecify.annotations.NullMarked;
