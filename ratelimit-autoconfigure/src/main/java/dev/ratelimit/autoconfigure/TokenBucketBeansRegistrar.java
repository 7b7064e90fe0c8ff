package dev.ratelimit.autoconfigure;

import dev.ratelimit.core.TokenBucket;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a {@link TokenBucket} bean for every limit below {@code ratelimit.buckets}.
 */
final class TokenBucketBeansRegistrar implements ImportBeanDefinitionRegistrar {

	static final String BEAN_NAME_PREFIX = "ratelimit.bucket.";

	private final Environment environment;

	TokenBucketBeansRegistrar(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
		rejectUnknownProperties();
		BucketNames.of(this.environment).spelt().forEach((name) -> register(name, registry));
	}

	/**
	 * Ends startup before a bean is created, or a bucket that is missing only because its
	 * key is misspelt would be reported instead of the key.
	 */
	private void rejectUnknownProperties() {
		BindHandler handler = new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter());
		try {
			Binder.get(this.environment).bind("ratelimit", Bindable.of(RateLimitProperties.class), handler);
		}
		catch (BindException ex) {
			if (ex.getCause() instanceof UnboundConfigurationPropertiesException) {
				throw ex;
			}
		}
	}

	private static void register(String name, BeanDefinitionRegistry registry) {
		RootBeanDefinition definition = new RootBeanDefinition();
		definition.setTargetType(TokenBucket.class);
		definition.setFactoryBeanName(RateLimitAutoConfiguration.REGISTRY_BEAN_NAME);
		definition.setFactoryMethodName("bucket");
		definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
		definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
		registry.registerBeanDefinition(BEAN_NAME_PREFIX + name, definition);
	}

}
